-- What kane reads of an index of version 0.1 and later ones: the marks of its maker, where its clips lie, what failed,
-- and tags. Everything else is read from the containers again.
CREATE TABLE meta(name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE clip(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE tag(
  clip_id INTEGER NOT NULL REFERENCES clip(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (clip_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE failure(path TEXT PRIMARY KEY NOT NULL, stage TEXT NOT NULL, message TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('schema', '0123456789abcdef');
INSERT INTO clip VALUES(1, 'a.bvh.h5'), (2, 'b/walkFast01.bvh.h5'), (3, 'c.h5'), (4, 'd.h5'), (5, 'e.h5');
INSERT INTO tag VALUES(1, 'actor', 'Anna'), (3, 'show', 'pilot');
INSERT INTO failure VALUES('b/x.h5', 'import', 'x.bvh:1:1: no');
PRAGMA application_id = 1262571077;
PRAGMA user_version = 4;
