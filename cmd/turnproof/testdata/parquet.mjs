// Prints a Parquet file as JSON: columns with their types, metadata, rows; integers
// as text, so that none is rounded.
import { readFileSync } from 'node:fs'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
const bytes = readFileSync(process.argv[2])
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
const meta = parquetMetadata(file)
const columns = meta.schema.slice(1).map(c => [c.name, c.type, c.converted_type ?? c.logical_type?.type ?? '', c.repetition_type])
const rows = (await parquetReadObjects({ file })).map(r => Object.fromEntries(Object.entries(r).map(([k, v]) => [k, [typeof v, String(v)]])))
console.log(JSON.stringify({ columns, meta: Object.fromEntries(meta.key_value_metadata.map(m => [m.key, m.value])), rows }))
