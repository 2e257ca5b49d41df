package agent

import (
	"fmt"

	"earshot/shared/port/model"
)

// Tokens of turns. The longest submission, MaxKeywords keywords with their reasons and feeds, is some 8,000; a turn
// that calls tools says little, and what four samples answer is some 6,000.
const (
	mostAnswer   = 10_000
	leastAnswer  = 2_000
	usualAnswer  = 1_000
	usualResults = 6_000
)

// bytesPerToken is what English and JSON have at least, taken low so that a request never costs more than it was held
// for: providers' tokenizers make 3 to 4.5 of them. Of other scripts a byte may be a token.
const bytesPerToken = 3

// estimate is how many tokens a conversation costs to ask, at most.
func estimate(c model.Conversation) int {
	plain, other := 0, 0
	count := func(texts ...string) {
		for _, text := range texts {
			for i := range len(text) {
				if text[i] < 0x80 {
					plain++
				} else {
					other++
				}
			}
			plain += 4 * bytesPerToken // what separates it from the next
		}
	}
	count(c.System)
	for _, tool := range c.Tools {
		count(tool.Name, tool.Description, tool.Schema)
	}
	for _, message := range c.Messages {
		for _, block := range message.Blocks {
			switch {
			case block.Use != nil:
				count(block.Use.ID, block.Use.Name, block.Use.Input)
			case block.Result != nil:
				count(block.Result.ID, block.Result.Text, block.Result.JSON)
			default:
				count(block.Text)
			}
		}
	}
	return plain/bytesPerToken + other
}

// left tells the model what it may still spend.
func (s *session) left() string {
	return fmt.Sprintf("Tool calls left: %d of %d.", s.Depth.ToolCalls-s.calls, s.Depth.ToolCalls)
}
