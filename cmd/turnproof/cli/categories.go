package cli

// Categories of flags: the headings in the help of a command that has many flags.
const (
	CategoryNetwork        = "Network and routing"
	CategoryMethod         = "Method"
	CategoryVLANs          = "VLANs"
	CategoryConfigurations = "Switch configurations"
	CategoryChecked        = "What is checked"
	CategoryFailures       = "Failures and mending"
	CategoryTraffic        = "Traffic"
	CategoryRouter         = "Router"
	CategoryDelays         = "Delays of model booksim"
	CategoryGates          = "Gates and throttling"
	CategoryEthernet       = "Ethernet"
	CategoryRun            = "Run"
	CategoryMachines       = "Several machines"
	CategoryOpinions       = "Second opinions"
	CategoryDrawn          = "What is drawn"
	CategoryListed         = "What is listed"
	CategoryReadings       = "Readings of the method"
	CategoryOutput         = "Output"
	categoryOther          = "Other" // for a flag without a category
	categoryHelp           = "Help"
)

// categories are in the order of help. Another category comes before Output.
var categories = []string{
	CategoryNetwork,
	CategoryMethod,
	CategoryVLANs,
	CategoryConfigurations,
	CategoryChecked,
	CategoryFailures,
	CategoryTraffic,
	CategoryRouter,
	CategoryDelays,
	CategoryGates,
	CategoryEthernet,
	CategoryRun,
	CategoryMachines,
	CategoryOpinions,
	CategoryDrawn,
	CategoryListed,
	CategoryReadings,
}

// lastCategories come after all others.
var lastCategories = []string{CategoryOutput, categoryOther, categoryHelp}
