"""The Dataset that kane.open_clip returns."""
import xarray

from .old_names import current_name


class ClipDataset(xarray.Dataset):
    """An xarray.Dataset whose variables are also found by their old names: clip.anatomy_moment is angles_moment."""
    __slots__ = ()

    def __getattr__(self, name):
        return super().__getattr__(current_name(name))

    def __getitem__(self, key):
        return super().__getitem__(current_name(key))
