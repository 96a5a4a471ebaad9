"""The modes, a module for each kind: what its screen shows and what each press does."""
