"""Threads, processes and retries beside the deciding thread."""
