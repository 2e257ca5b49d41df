package apigateway

import (
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// badRequest is the occasion of a request that is not HTTP, or breaks off.
const badRequest = "DEFAULT_4XX"

// refuse gives the gateway's own answer to an occasion.
func refuse(w http.ResponseWriter, occasion, id string) {
	response := web.GatewayFor(occasion)
	writeOwn(w, response, response.Body(), id)
}

// Refuse writes a problem as the gateway writes its own answers, for a server that serves more than the gateway.
func Refuse(w http.ResponseWriter, refused *problem.Problem) {
	response := web.GatewayResponse{Status: refused.Status(), Code: refused.Code, Message: refused.Message}
	writeOwn(w, response, response.Body(), uuid.NewString())
}

// Redirect sends a client to another path, with the headers that every answer has.
func Redirect(w http.ResponseWriter, path string) {
	header := ownHeader(web.GatewayResponse{Status: http.StatusFound}, "", uuid.NewString())
	header.Del("Content-Type")
	header.Set("Location", path)
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(http.StatusFound)
}

// refuseLegacy answers every path of version 1.
func refuseLegacy(w http.ResponseWriter, id string) {
	writeOwn(w, web.GatewayFor(web.UnknownRoute), web.LegacyNotFound, id)
}

func writeOwn(w http.ResponseWriter, response web.GatewayResponse, body, id string) {
	for name, value := range ownHeader(response, body, id) {
		w.Header()[name] = value
	}
	w.WriteHeader(response.Status)
	w.Write([]byte(body)) // net/http keeps it back from HEAD
}

func ownHeader(response web.GatewayResponse, body, id string) http.Header {
	header := http.Header{}
	for name, value := range response.Fixed() {
		header.Set(name, value)
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("X-Request-Id", id)
	return header
}
