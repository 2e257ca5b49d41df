// Command pocketbase serves mentions by PocketBase, for infra/rivals. The argument names a file of lines, each the JSON
// of a mention. It listens on 127.0.0.1 and writes its URL and the token of a user on one line, once the mentions are
// there. Records take a signed-in user, as the API takes a key.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

// texts are a mention's properties that are text.
var texts = []string{"sourceId", "url", "title", "body", "source", "timestamp", "author", "authorUrl", "relevance",
	"relevanceComment", "sentiment", "language"}

func main() {
	folder, err := os.MkdirTemp("", "pocketbase")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := serve(folder, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func serve(folder, mentions string) error {
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDataDir: folder, HideStartBanner: true})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	token, err := fill(app, mentions)
	if err != nil {
		return err
	}
	router, err := apis.NewRouter(app)
	if err != nil {
		return err
	}
	handler, err := router.BuildMux()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s %s\n", listener.Addr(), token)
	return http.Serve(listener, handler)
}

// fill makes the collection, its mentions and a user, whose token it returns.
func fill(app core.App, mentions string) (token string, err error) {
	signedIn := "@request.auth.id != ''"
	collection := core.NewBaseCollection("mentions")
	collection.ListRule, collection.ViewRule, collection.UpdateRule = &signedIn, &signedIn, &signedIn
	for _, name := range texts {
		collection.Fields.Add(&core.TextField{Name: name})
	}
	collection.Fields.Add(
		&core.NumberField{Name: "number"},
		&core.NumberField{Name: "relevanceScore"},
		&core.JSONField{Name: "tags"},
		&core.BoolField{Name: "engaged"},
		&core.BoolField{Name: "isReply"},
	)
	collection.AddIndex("byTime", false, "timestamp", "")
	if err := app.Save(collection); err != nil {
		return "", err
	}
	file, err := os.Open(mentions)
	if err != nil {
		return "", err
	}
	defer file.Close()
	err = app.RunInTransaction(func(tx core.App) error {
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			var read map[string]any
			if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
				return err
			}
			record := core.NewRecord(collection)
			record.Set("id", fmt.Sprintf("m%014.0f", read["id"])) // PocketBase's ids have 15 characters
			record.Set("number", read["id"])
			for _, name := range append(texts, "relevanceScore", "tags", "engaged", "isReply") {
				record.Set(name, read[name])
			}
			if err := tx.Save(record); err != nil {
				return err
			}
		}
		return lines.Err()
	})
	if err != nil {
		return "", err
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return "", err
	}
	user := core.NewRecord(users)
	user.SetEmail("reader@northwind.example")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return "", err
	}
	return user.NewAuthToken()
}
