package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// Files of exports are kept for days after they were written: as long as an export is, which the store keeps no longer.
const filesKept = 7

// ofWorkspaces are the keys of all workspaces' files: each is in a folder named by its workspace's id. Which workspaces there
// will be a deployment cannot know.
const ofWorkspaces = "/org_*"

// newFiles makes the bucket of exports. Nobody but the account reaches it, but through links that a function has signed. It is
// kept where data is; elsewhere its stack can be deleted once it is empty.
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
