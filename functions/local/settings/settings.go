// Package settings reads the workbench's settings from the environment, and refuses invalid ones. Its errors are
// sentences for the person who started the program.
//
// Only the programs under functions/local and the tools import it.
package settings

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// DefaultData is the data folder unless DATA names another.
const DefaultData = ".earshot"

// Settings holds the settings. Each is optional.
type Settings struct {
	Host           string // ADDR: a loopback address, or localhost
	Port           int    // ADDR: 0 for any that is free
	Data           string // DATA: the folder that the workbench keeps everything in
	Demo           bool   // DEMO: whether it starts with the demo
	Live           bool   // SOURCES: whether posts are collected from the sources that need no key, or whose keys are set
	AnalyticsFiles bool   // ANALYTICS_FILES: whether files of days are written
	TableEndpoint  string // TABLE_ENDPOINT: a server that speaks DynamoDB; empty: a file in the data folder

	Ahead time.Duration // AHEAD: how far its clock is ahead of the machine's from the start, 0 to MaxAhead
}

// MaxAhead is how far the clock can be ahead of the machine's: about ten years.
const MaxAhead = 10 * 365 * 24 * time.Hour

// From reads the settings; env is os.Getenv or the like.
func From(env func(string) string) (Settings, error) {
	get := func(name, unset string) string {
		if value := env(name); value != "" {
			return value
		}
		return unset
	}
	s := Settings{Data: get("DATA", DefaultData), TableEndpoint: env("TABLE_ENDPOINT")}
	address := get("ADDR", "127.0.0.1:8080")
	host, port, err := net.SplitHostPort(address)
	number, notNumber := strconv.ParseUint(port, 10, 16)
	if err != nil || notNumber != nil {
		return Settings{}, fmt.Errorf("ADDR=%s is not a host and a port, such as 127.0.0.1:8080", address)
	}
	if !Loopback(host) {
		return Settings{}, fmt.Errorf(
			"ADDR=%s would open the workbench to other machines. Anyone there could use /_local/, which asks "+
				"for no key. Choose an address of this machine alone, such as 127.0.0.1:%s",
			address,
			port,
		)
	}
	s.Host, s.Port = host, int(number)
	switch demo := get("DEMO", "on"); demo {
	case "on":
		s.Demo = true
	case "off":
	default:
		return Settings{}, fmt.Errorf("DEMO=%s is neither on nor off", demo)
	}
	switch sources := get("SOURCES", "live"); sources {
	case "live":
		s.Live = true
	case "archive":
	default:
		return Settings{}, fmt.Errorf("SOURCES=%s is neither live nor archive", sources)
	}
	switch files := get("ANALYTICS_FILES", "off"); files {
	case "on":
		s.AnalyticsFiles = true
	case "off":
	default:
		return Settings{}, fmt.Errorf("ANALYTICS_FILES=%s is neither on nor off", files)
	}
	ahead := get("AHEAD", "0s")
	if s.Ahead, err = time.ParseDuration(ahead); err != nil || s.Ahead < 0 || s.Ahead > MaxAhead {
		return Settings{}, fmt.Errorf("AHEAD=%s is no time from 0s to %s, such as 90m", ahead, MaxAhead)
	}
	if s.TableEndpoint != "" {
		parsed, err := url.Parse(s.TableEndpoint)
		if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
			return Settings{}, fmt.Errorf(
				"TABLE_ENDPOINT=%s is not the URL of a server, such as http://127.0.0.1:8000", s.TableEndpoint,
			)
		}
	}
	return s, nil
}

// Loopback reports whether an address's host is this machine and cannot be reached from others.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// Address returns the address to listen on. A file of the machine decides what localhost means; here it is 127.0.0.1.
func (s Settings) Address() string {
	host := s.Host
	if host == "localhost" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, strconv.Itoa(s.Port))
}

// BaseURL returns the root of the API when it is served on that port.
func (s Settings) BaseURL(port int) string {
	return "http://" + net.JoinHostPort(s.Host, strconv.Itoa(port))
}
