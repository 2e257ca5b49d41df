package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/workspace"
)

// accounts are companies whose names are dictionary words, each with one account that has another form than its name.
var accounts = []workspace.Company{
	{Name: "United Airlines", Domain: "united.com", Description: "An airline with flights to many cities."},
	{Name: "Delta", Domain: "delta.com", Description: "An airline that flies passengers and cargo."},
	{Name: "Southwest", Domain: "southwest.com", Description: "Low fares and flights.", Handles: []string{"SouthwestAir"}},
	{Name: "Target", Domain: "target.com", Description: "Stores for groceries, clothes and home goods."},
	{Name: "Chase", Domain: "chase.com", Description: "A bank with accounts, credit cards and mortgages."},
	{Name: "Sprint", Domain: "sprint.com", Description: "Mobile phone plans and a wireless network."},
	{Name: "Orange", Domain: "orange.com", Description: "A telephone and internet operator."},
	{Name: "Visa", Domain: "visa.com", Description: "Payments by credit and debit cards."},
}

// measureAccounts measures how many posts to a company's own account the judge keeps. The data has no such posts. They
// are made by a rule: every 25th Reddit comment that GoEmotions labelled, with the account before it.
func measureAccounts(j *judge.Judge, folder string) (figures []figure, err error) {
	comments, err := columns(folder, "sentiment", "goemotions_3class_dev.tsv")
	if err != nil {
		return nil, err
	}
	// In an order that does not depend on the file's.
	slices.SortFunc(comments, func(a, b labelled) int { return cmp.Compare(a.text, b.text) })
	for _, atSign := range []bool{true, false} {
		right, all := map[string]int{}, map[string]int{}
		for _, company := range accounts {
			label, _, _ := strings.Cut(company.Domain, ".")
			text, address := label, "@"+label
			if atSign {
				text = address
			} else if len(company.Handles) > 0 {
				address = "@" + company.Handles[0]
			}
			k := keyword.Keyword{Text: text, ExactMatch: true, Tag: keyword.OwnBrand}
			subjects := []*judge.Subject{j.Subject(company, k, nil)}
			for i := 0; i < len(comments); i += 25 {
				body := address + " " + comments[i].text
				p := post.Post{Body: &body}
				all["all"]++
				if j.Judge(j.Read(&p), &p, subjects).Score.Relevant() {
					right["all"]++
				}
			}
		}
		kept, spread := recall(right, all)
		named := "the bare name"
		if atSign {
			named = "the @handle"
		}
		figures = append(figures, figure{
			name:   fmt.Sprintf("relevance: posts to the company's own account, kept, by %s", named),
			value:  kept,
			floor:  0.99,
			spread: spread,
			format: accuracy,
			note:   fmt.Sprintf("%d made of Reddit comments with an account before them", all["all"]),
		})
	}
	return figures, nil
}
