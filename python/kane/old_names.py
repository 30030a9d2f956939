"""Names of groups in clip files of earlier versions, which are read, and by which variables are still found."""
OLD_GROUPS = {"angles": "anatomy"}


def current_name(name):
    """The name of a variable, such as angles_moment, from its current or an old one, such as anatomy_moment."""
    for new, old in OLD_GROUPS.items():
        if isinstance(name, str) and name.startswith(old + "_"):
            return new + name[len(old):]
    return name


class Arrays(dict):
    """Arrays by their names; old names are found too."""

    def __missing__(self, name):
        if current_name(name) == name:
            raise KeyError(name)
        return self[current_name(name)]
