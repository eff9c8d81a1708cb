package drive

// Quietly calls a function that looks at memory, also in the middle of a step, without that being an access of the program.
func (m *Machine) Quietly(look func()) {
	m.mute++
	look()
	m.mute--
}
