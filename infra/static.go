package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3deployment"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/static"
)

// staticFiles are the files that CloudFront serves from a bucket: scripts, styles and pictures of pages. A folder of
// dist/static is a folder of the origin, so another page needs only a folder of its own. Each file is compressed, and
// its address is made from its content. It never changes, so caches keep it for ever, and an earlier version of a
// page still finds its files.
type staticFiles struct {
	origin *string // such as https://d111111abcdef8.cloudfront.net
	stored constructs.IDependable
}

// newStaticFiles makes the bucket, its distribution, and the function that fills the bucket during a deployment.
func newStaticFiles(stack awscdk.Stack, stage Stage, folder string) staticFiles {
	scope := constructs.NewConstruct(stack, jsii.String("Static"))
	bucket := awss3.NewBucket(scope, jsii.String("Bucket"), &awss3.BucketProps{
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		MinimumTLSVersion: jsii.Number(1.2),
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		RemovalPolicy:     awscdk.RemovalPolicy_DESTROY, // all of it is made anew from the code
	})
	distribution := awscloudfront.NewDistribution(scope, jsii.String("Distribution"), &awscloudfront.DistributionProps{
		Comment: jsii.String("Static files of Earshot, stage " + stage.Name),
		DefaultBehavior: &awscloudfront.BehaviorOptions{
			Origin:               awscloudfrontorigins.S3BucketOrigin_WithOriginAccessControl(bucket, nil),
			ViewerProtocolPolicy: awscloudfront.ViewerProtocolPolicy_HTTPS_ONLY,
			AllowedMethods:       awscloudfront.AllowedMethods_ALLOW_GET_HEAD(),
			// A query, a header or a cookie makes no other cache entry, so a flood cannot pass the cache with them.
			CachePolicy: awscloudfront.CachePolicy_CACHING_OPTIMIZED_FOR_UNCOMPRESSED_OBJECTS(),
			Compress:    jsii.Bool(false), // they are compressed already, better than by CloudFront
			// A page checks each file's digest. For another origin a browser does so only where that origin allows it.
			ResponseHeadersPolicy: awscloudfront.ResponseHeadersPolicy_CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS(),
		},
		HttpVersion: awscloudfront.HttpVersion_HTTP2_AND_3,
		PriceClass:  awscloudfront.PriceClass_PRICE_CLASS_100,
		WebAclId:    optional(stage.StaticFirewall),
	})
	logs := newLogGroup(scope, "Logs", stage)
	files := awss3assets.NewAsset(scope, jsii.String("Asset"), &awss3assets.AssetProps{Path: jsii.String(folder)})
	role := awsiam.NewRole(scope, jsii.String("Role"), &awsiam.RoleProps{
		Description: jsii.String("fills the bucket of static files while the stack is deployed"),
		AssumedBy:   awsiam.NewServicePrincipal(jsii.String("lambda.amazonaws.com"), nil),
	})
	allow(role, "logs", []string{"CreateLogStream", "PutLogEvents"}, logs.LogGroupArn())
	allow(role, "s3", []string{"GetObject"}, files.Bucket().ArnForObjects(files.S3ObjectKey()))
	allow(role, "s3", []string{"ListBucket", "GetBucketTagging"}, bucket.BucketArn())
	allow(role, "s3", []string{"PutObject", "DeleteObject"}, bucket.ArnForObjects(jsii.String("*")))
	stored := awss3deployment.NewBucketDeployment(scope, jsii.String("Files"), &awss3deployment.BucketDeploymentProps{
		Sources: &[]awss3deployment.ISource{
			awss3deployment.Source_Bucket(files.Bucket(), files.S3ObjectKey()),
		},
		DestinationBucket: bucket,
		CacheControl: &[]awss3deployment.CacheControl{
			awss3deployment.CacheControl_FromString(jsii.String(static.CacheControl)),
		},
		ContentEncoding: jsii.String("gzip"),
		Prune:           jsii.Bool(false),               // earlier versions of a page still name earlier files
		RetainOnDelete:  jsii.Bool(false),               // the bucket goes with its stack, and must be empty then
		Role:            role.WithoutPolicyUpdates(nil), // the CDK would grant far more than its function uses
		LogGroup:        logs,
		MemoryLimit:     jsii.Number(256),
	})
	stored.Node().AddDependency(role)
	// By this tag the CDK's function would leave the files in the bucket when the stack is deleted, which then cannot
	// be.
	address := *stored.Node().FindChild(jsii.String("CustomResource-256MiB")).Node().Addr()
	awscdk.Tags_Of(bucket).Remove(jsii.String("aws-cdk:cr-owned:"+address[len(address)-8:]), nil)
	made := staticFiles{origin: jsii.String("https://" + *distribution.DistributionDomainName()), stored: stored}
	output(stack, "StaticUrl", "Where the files of pages are", made.origin)
	output(stack, "StaticDistribution", "The distribution that serves them", distribution.DistributionId())
	return made
}

// fillsBucket names the CDK's function that copies files to the bucket. The CDK names it after its memory.
const fillsBucket = "Custom::CDKBucketDeployment8693BB64968944B69AAFB0CC9EB8756C256MiB"

// tell tells a function where the files are. The function changes only after the files are there.
func (s staticFiles) tell(of lambda) {
	of.deployed.AddEnvironment(jsii.String("STATIC_URL"), s.origin, nil)
	of.deployed.Node().AddDependency(s.stored)
}

// checkStatic returns an error that wraps os.ErrNotExist if the files were not made, before anything is deployed.
func checkStatic(folder string) error {
	pages, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("the static files: %w", err)
	}
	var faults []error
	for _, page := range pages {
		files, err := os.ReadDir(folder + "/" + page.Name())
		if err != nil || len(files) == 0 {
			faults = append(
				faults,
				fmt.Errorf(
					"%s/%s is no folder of a page's files: %w",
					folder,
					page.Name(),
					errors.Join(err, os.ErrNotExist),
				),
			)
		}
	}
	if len(pages) == 0 {
		faults = append(faults, fmt.Errorf("%s has no files: %w", folder, os.ErrNotExist))
	}
	return errors.Join(faults...)
}

// optional returns a property that is left out if it is empty.
func optional(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}
