package drive

// MeetOutcome notes how a run has gone, in the words of the program.
func (m *Machine) MeetOutcome(text string) {
	if m.outcomes == nil {
		m.outcomes = make(map[string]bool)
	}
	m.outcomes[text] = true
}

// Outcomes are those that were met up to now, in all states.
func (m *Machine) Outcomes() map[string]bool { return m.outcomes }
