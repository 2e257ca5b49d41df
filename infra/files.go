package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// Files of exports are kept for days after they were written: as long as the store keeps an export.
const filesKept = 7

// ofWorkspaces matches the keys of all workspaces' files. Each is in a folder named by its workspace's id. A
// deployment cannot know which workspaces there will be.
const ofWorkspaces = "/org_*"

// newFiles makes the bucket of exports. Only the account reaches it, and clients by links that a function has signed.
// It is kept where data is kept; elsewhere its stack can be deleted once the bucket is empty.
func newFiles(scope constructs.Construct, stage Stage) awss3.Bucket {
	return awss3.NewBucket(scope, jsii.String("Bucket"), &awss3.BucketProps{
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		MinimumTLSVersion: jsii.Number(1.2),
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		LifecycleRules: &[]*awss3.LifecycleRule{{
			Expiration:                          awscdk.Duration_Days(jsii.Number(filesKept)),
			AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(1)),
		}},
		RemovalPolicy: stage.removal(),
	})
}
