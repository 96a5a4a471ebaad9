"""What a table tells an MQTT broker, and the way there; it decides nothing at a table."""
