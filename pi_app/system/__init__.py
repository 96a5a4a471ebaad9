"""What the program asks of the operating system: threads, processes, logs, systemd, power."""
