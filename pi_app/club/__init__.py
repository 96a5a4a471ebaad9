"""Many tables over a broker: their games, their players and tournaments."""
