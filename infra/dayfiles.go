package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsathena"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsglue"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/analytics/files"
	statements "earshot/shared/analytics/statement"
)

// Bounds of what statements over day files cost.
const (
	// statementBytes is how much one statement may read: at 5 US dollars a TB it costs at most 5 cents.
	statementBytes = 10 << 30
	// resultDays is how long results are kept. Athena reuses none that are older.
	resultDays = 7
	// resultsFolder is where results are in the bucket of day files.
	resultsFolder = "results/"
)

// dayFiles holds the mentions of each day as Parquet, and what Athena needs to run statements over them. It is nil
// where a stage has not switched them on (AnalyticsFiles).
type dayFiles struct {
	bucket    awss3.Bucket
	database  string
	workgroup string
}

// newDayFiles makes the bucket, the table that describes the files to Athena, and the workgroup. None of them costs
// anything without a file and a statement.
func newDayFiles(stack awscdk.Stack, stage Stage) *dayFiles {
	if !stage.AnalyticsFiles {
		return nil
	}
	scope := constructs.NewConstruct(stack, jsii.String("DayFiles"))
	made := &dayFiles{
		bucket: awss3.NewBucket(scope, jsii.String("Bucket"), &awss3.BucketProps{
			Encryption:        awss3.BucketEncryption_S3_MANAGED,
			EnforceSSL:        jsii.Bool(true),
			MinimumTLSVersion: jsii.Number(1.2),
			BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
			ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
			LifecycleRules: &[]*awss3.LifecycleRule{
				{AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(1))},
				{
					Prefix:     jsii.String(resultsFolder),
					Expiration: awscdk.Duration_Days(jsii.Number(resultDays)),
				},
			},
			RemovalPolicy: stage.removal(),
		}),
		database:  project + "_" + stage.Name,
		workgroup: project + "-" + stage.Name,
	}
	database := awsglue.NewCfnDatabase(scope, jsii.String("Database"), &awsglue.CfnDatabaseProps{
		CatalogId: stack.Account(),
		DatabaseInput: &awsglue.CfnDatabase_DatabaseInputProperty{
			Name:        &made.database,
			Description: jsii.String("Earshot " + stage.Name + ": the files of mentions"),
		},
	})
	newFilesTable(scope, stack, made).AddResourceDependency(database, nil)
	awsathena.NewCfnWorkGroup(scope, jsii.String("Workgroup"), &awsathena.CfnWorkGroupProps{
		Name:        &made.workgroup,
		Description: jsii.String("Earshot " + stage.Name + ": statements of analytics"),
		// Without it a stack could not be deleted after the first statement.
		RecursiveDeleteOption: jsii.Bool(!stage.Keep),
		WorkGroupConfiguration: &awsathena.CfnWorkGroup_WorkGroupConfigurationProperty{
			BytesScannedCutoffPerQuery:      jsii.Number(statementBytes),
			EnforceWorkGroupConfiguration:   jsii.Bool(true),
			PublishCloudWatchMetricsEnabled: jsii.Bool(false), // they would be paid for by the month
			RequesterPaysEnabled:            jsii.Bool(false),
			EngineVersion: &awsathena.CfnWorkGroup_EngineVersionProperty{
				SelectedEngineVersion: jsii.String("Athena engine version 3"),
			},
			ResultConfiguration: &awsathena.CfnWorkGroup_ResultConfigurationProperty{
				OutputLocation: jsii.String("s3://" + *made.bucket.BucketName() + "/" + resultsFolder),
				EncryptionConfiguration: &awsathena.CfnWorkGroup_EncryptionConfigurationProperty{
					EncryptionOption: jsii.String("SSE_S3"),
				},
			},
		},
	})
	return made
}

// newFilesTable describes the files to Athena. Partitions are computed from the statement, not stored: a workspace must
// be named, and days are a range.
func newFilesTable(scope constructs.Construct, stack awscdk.Stack, made *dayFiles) awsglue.CfnTable {
	place := "s3://" + *made.bucket.BucketName() + "/" + files.Root + "/"
	var columns []*awsglue.CfnTable_ColumnProperty
	for _, column := range files.Columns() {
		columns = append(columns, &awsglue.CfnTable_ColumnProperty{
			Name: jsii.String(column.Name), Type: jsii.String(string(column.Type)),
		})
	}
	return awsglue.NewCfnTable(scope, jsii.String("Table"), &awsglue.CfnTableProps{
		CatalogId:    stack.Account(),
		DatabaseName: &made.database,
		TableInput: &awsglue.CfnTable_TableInputProperty{
			Name:      jsii.String(statements.Table),
			TableType: jsii.String("EXTERNAL_TABLE"),
			Parameters: map[string]string{
				"classification":            "parquet",
				"projection.enabled":        "true",
				"projection.workspace.type": "injected",
				"projection.day.type":       "date",
				"projection.day.format":     "yyyy-MM-dd",
				"projection.day.range":      "1970-01-01,NOW+1DAYS",
				"projection.day.interval":   "1", "projection.day.interval.unit": "DAYS",
				"storage.location.template": place + files.PartitionWorkspace + "=${workspace}/" + files.PartitionDay + "=${day}/",
			},
			PartitionKeys: &[]any{
				&awsglue.CfnTable_ColumnProperty{Name: jsii.String(files.PartitionWorkspace), Type: jsii.String("string")},
				&awsglue.CfnTable_ColumnProperty{Name: jsii.String(files.PartitionDay), Type: jsii.String("string")},
			},
			StorageDescriptor: &awsglue.CfnTable_StorageDescriptorProperty{
				Columns:      &columns,
				Location:     &place,
				InputFormat:  jsii.String("org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat"),
				OutputFormat: jsii.String("org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat"),
				SerdeInfo: &awsglue.CfnTable_SerdeInfoProperty{
					SerializationLibrary: jsii.String("org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"),
				},
			},
		},
	})
}

// dayFilesOfWorkspaces matches the keys of all workspaces' day files.
const dayFilesOfWorkspaces = "/" + files.Root + "/" + files.PartitionWorkspace + "=org_*"

// allow gives a role what its function does with day files.
func (d *dayFiles) allow(role awsiam.Role, function Function, stack awscdk.Stack) {
	bucket := *d.bucket.BucketArn()
	if len(function.DayFiles) > 0 {
		allow(role, "s3", function.DayFiles, jsii.String(bucket+dayFilesOfWorkspaces))
	}
	if !function.Statements {
		return
	}
	arn := func(service, resource, name string) *string {
		return stack.FormatArn(&awscdk.ArnComponents{
			Service: jsii.String(service), Resource: jsii.String(resource), ResourceName: jsii.String(name),
		})
	}
	allow(
		role, "athena", []string{"StartQueryExecution", "GetQueryExecution", "GetQueryResults", "StopQueryExecution"},
		arn("athena", "workgroup", d.workgroup),
	)
	catalog := stack.FormatArn(&awscdk.ArnComponents{Service: jsii.String("glue"), Resource: jsii.String("catalog")})
	allow(
		role, "glue", []string{"GetDatabase", "GetTable"}, catalog, arn("glue", "database", d.database),
		arn("glue", "table", d.database+"/"+statements.Table),
	)
	// Athena reads and writes in the caller's name.
	allow(role, "s3", []string{"GetBucketLocation", "ListBucket"}, &bucket)
	allow(
		role, "s3", []string{"GetObject", "PutObject", "AbortMultipartUpload"},
		jsii.String(bucket+"/"+resultsFolder+"*"),
	)
}

// environment names day files to a function that may reach them.
func (d *dayFiles) environment(function Function, environment map[string]*string) {
	if len(function.DayFiles) > 0 || function.Statements {
		environment["ANALYTICS_BUCKET"] = d.bucket.BucketName()
	}
	if function.Statements {
		environment["ATHENA_WORKGROUP"], environment["ATHENA_DATABASE"] = &d.workgroup, &d.database
	}
}
