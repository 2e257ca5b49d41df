package mcp

// RequestOf returns the request of REST that a tool makes of an operation with some arguments.
func RequestOf(id string, text string) (method, target string, body []byte, err error) {
	given, err := argumentsOf([]byte(text))
	if err != nil {
		return "", "", nil, err
	}
	op := generatedOperations()[id]
	target, body, err = op.request(given)
	return op.Method, target, body, err
}
