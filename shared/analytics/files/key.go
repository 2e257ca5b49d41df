package files

import (
	"fmt"
	"strings"
	"time"
)

// Folders of day files. A query engine reads the workspace and the day from the names of the folders:
//
//	analytics/workspace=org_01KAGW7Z8R4Y6H2N3M5P9Q0S1T/day=2026-11-01/mentions-0000000007.parquet
//
// The number grows with each file that is written for a day. A folder may have several files for a short time; a
// manifest names the one to read.
const (
	Root               = "analytics"
	PartitionWorkspace = "workspace"
	PartitionDay       = "day"
	DayForm            = "2006-01-02"
	Extension          = ".parquet"
)

// maxWorkspaceID bounds the name of a workspace's folder, in bytes.
const maxWorkspaceID = 64

// Folder returns the folder of a workspace's files. It returns an error for an id that is no name of a folder.
func Folder(workspaceID string) (string, error) {
	if workspaceID == "" || len(workspaceID) > maxWorkspaceID || strings.ContainsFunc(workspaceID, foreign) {
		return "", fmt.Errorf("files: an id of %d bytes is no name of a folder", len(workspaceID))
	}
	return Root + "/" + PartitionWorkspace + "=" + workspaceID, nil
}

// foreign reports whether a character cannot be part of a workspace's id.
func foreign(c rune) bool {
	return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// Key returns the key of a file of a workspace's day in UTC. It returns an error for an id that is no name of a folder.
func Key(workspaceID string, day time.Time, number int64) (string, error) {
	folder, err := Folder(workspaceID)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s/%s=%s/mentions-%010d%s", folder, PartitionDay, day.UTC().Format(DayForm), number, Extension),
		nil
}
