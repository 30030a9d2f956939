"""Prints kane's messages for a clip file without one of its datasets, for each dataset. usage: datasets.py KANE
FILE.h5..."""
import subprocess
import sys

import h5py

for path in sys.argv[2:]:
    with h5py.File(path) as file:
        names = []
        file.visititems(lambda name, thing: names.append(name) if isinstance(thing, h5py.Dataset) else None)
    print("==", path)
    for name in names:
        with open(path, "rb") as stream:
            content = stream.read()
        with open("without.h5", "wb") as stream:
            stream.write(content)
        with h5py.File("without.h5", "a") as file:
            del file[name]
            if "checksum" in file.attrs:
                del file.attrs["checksum"]
        result = subprocess.run([sys.argv[1], "export", "--format", "npz", "without.h5"], capture_output=True, check=False)
        print(name, result.stderr.decode().strip().replace("without.h5: ", "") or "is not needed", sep="\t")
