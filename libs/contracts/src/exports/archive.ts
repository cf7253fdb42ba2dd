import { z } from 'zod'
import { type ExportPart, exportParts, exportScope, recordCounts } from './records.ts'

/** Increases if an archive changes so that existing readers can't read it any more. */
export const ARCHIVE_FORMAT = 1

/** Paths in an archive, in this order: the manifest, each service's records, the files of each. */
export const archivePaths = {
  manifest: 'manifest.json',
  records: (part: ExportPart) => `${part}.ndjson`,
  file: (part: ExportPart, key: string) => `files/${part}/${key}`,
} as const

const archivePart = z
  .strictObject({
    counts: recordCounts.describe('Number of records of each kind, including records of files.'),
    sha256: z.string().describe('Of the uncompressed records, in hexadecimal digits.'),
    files: z.int().nonnegative().describe('Number of files below its folder.'),
    file_bytes: z.int().nonnegative().describe('The sum of their sizes.'),
  })
  .describe('The part of one service.')

/** The first entry of an archive: its description, and what it must contain. */
export const archiveManifest = z.strictObject({
  format: z.int().describe(`The version of this format: ${ARCHIVE_FORMAT}.`),
  product_version: z.string().describe('The version of the installation that made it.'),
  feature_level: z.int().describe('Its API feature level.'),
  export_time: z.int().describe('When it was started, in UNIX seconds.'),
  scope: exportScope.describe('`public`, `consent` or `full`.'),
  organization: z.strictObject({
    id: z.int().positive(),
    string_id: z.string().describe('Its subdomain; empty for the default organization of an installation.'),
    name: z.string(),
    url: z.string().describe('Its URL when it was exported.'),
  }),
  parts: z
    .strictObject(
      Object.fromEntries(exportParts.map((part) => [part, archivePart])) as Record<
        ExportPart,
        typeof archivePart
      >,
    )
    .describe('By service.'),
})
export type ArchiveManifest = z.output<typeof archiveManifest>
export type ArchivePart = z.output<typeof archivePart>
