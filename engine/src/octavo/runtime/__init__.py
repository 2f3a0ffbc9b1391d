"""What every step runs on: the cache of earlier work, processes, progress."""
