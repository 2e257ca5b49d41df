package proposal

// An Analog is what a text brings that is tracked bare already, whoever tracks it: mentions of the last whole days.
type Analog struct {
	Posts int64
	Days  int // of Month or of Week
}
