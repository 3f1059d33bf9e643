package cli

// Categories of flags. They are the headings in the help of a command with many flags.
const (
	CategoryNetwork        = "Network and routing"
	CategoryMethod         = "Method"
	CategoryVLANs          = "VLANs"
	CategoryConfigurations = "Switch configurations"
	CategoryChecked        = "What is checked"
	CategoryFailures       = "Failures and mending"
	CategoryQuality        = "Quality of the routing"
	CategoryTraffic        = "Traffic"
	CategoryWorkload       = "Workloads"
	CategoryMessages       = "Requests and replies"
	CategoryRouter         = "Router"
	CategoryDelays         = "Delays of model booksim"
	CategoryGates          = "Gates and throttling"
	CategoryEthernet       = "Ethernet"
	CategoryRun            = "Run"
	CategoryWatch          = "Watching"
	CategoryMachines       = "Several machines"
	CategoryOpinions       = "Second opinions"
	CategoryDrawn          = "What is drawn"
	CategoryListed         = "What is listed"
	CategoryReadings       = "Readings of the method"
	CategoryOutput         = "Output"
	categoryOther          = "Other" // of flags without a category
	categoryHelp           = "Help"
)

// categories is the order of the headings in help. Unlisted categories come after them and before
// lastCategories.
var categories = []string{
	CategoryNetwork,
	CategoryMethod,
	CategoryVLANs,
	CategoryConfigurations,
	CategoryChecked,
	CategoryFailures,
	CategoryQuality,
	CategoryTraffic,
	CategoryWorkload,
	CategoryRouter,
	CategoryDelays,
	CategoryGates,
	CategoryEthernet,
	CategoryRun,
	CategoryWatch,
	CategoryMachines,
	CategoryOpinions,
	CategoryDrawn,
	CategoryListed,
	CategoryReadings,
}

// lastCategories are the headings at the end of help.
var lastCategories = []string{CategoryOutput, categoryOther, categoryHelp}
