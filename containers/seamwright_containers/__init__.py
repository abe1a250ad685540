"""The wiring of Seamwright: containers, doors and presets."""
