"""Names that Python gave up in 3.10 and clients of the era import; loaded by the interpreter before anything else."""
import collections
import collections.abc

for _name in ("Callable", "Iterable", "Mapping", "MutableMapping", "MutableSequence", "Sequence"):
    if not hasattr(collections, _name):
        setattr(collections, _name, getattr(collections.abc, _name))
