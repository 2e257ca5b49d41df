package dictionary

// In is Has of other words.
var In = has
