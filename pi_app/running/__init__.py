"""What runs beside the deciding thread: threads, processes, tries. Knows no table and no device."""
