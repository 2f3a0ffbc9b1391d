"""The operations, one file per resource; each opens its one transaction and leaves the rest to `store`."""
