import { z } from 'zod'
import { type InternalEndpoint, internalEndpoint } from '../declarations/endpoint.ts'
import { type ExportPart, exportScope, recordCounts } from './records.ts'

const realm_id = z.int()
const bodies = {
  scoped: z.object({ realm_id, scope: exportScope }),
  realm: z.object({ realm_id }),
  file: z.object({ realm_id, key: z.string() }),
} as const
const recordsCounted = z.object({ counts: recordCounts })
const nothing = z.object({})

/** The calls by which a service exports and imports its part of an organization. */
export interface ExportCalls {
  /** Records of one snapshot as lines of JSON: `begin`, those of the declared kinds, `end`. */
  readonly exportRecords: InternalEndpoint<typeof bodies.scoped, typeof nothing, 'down'>
  /**
   * Imports the same lines without `begin`, all or nothing. Errors: BAD_REQUEST with the line number for an invalid
   * record, a wrong order or a missing end, and for an ID that is taken.
   */
  readonly importRecords: InternalEndpoint<typeof bodies.realm, typeof recordsCounted, 'up'>
  /** The bytes of a file. Errors: NOT_FOUND. */
  readonly exportFile: InternalEndpoint<typeof bodies.file, typeof nothing, 'down'>
  /** Stores a file of an import. Errors: BAD_REQUEST for a key that no file of the organization can have. */
  readonly importFile: InternalEndpoint<typeof bodies.file, typeof nothing, 'up'>
  /** Deletes everything imported of an organization that isn't open yet. */
  readonly removeImport: InternalEndpoint<typeof bodies.realm, typeof nothing, 'none'>
}

/** Those calls of one service, which declares them as its own. */
export function exportCallsOf(owner: ExportPart): ExportCalls {
  return {
    exportRecords: internalEndpoint({
      name: 'exportRecords',
      owner,
      path: `/internal/export/${owner}`,
      body: bodies.scoped,
      response: nothing,
      stream: 'down',
    }),
    importRecords: internalEndpoint({
      name: 'importRecords',
      owner,
      path: `/internal/import/${owner}`,
      body: bodies.realm,
      response: recordsCounted,
      stream: 'up',
    }),
    exportFile: internalEndpoint({
      name: 'exportFile',
      owner,
      path: `/internal/export-file/${owner}`,
      body: bodies.file,
      response: nothing,
      stream: 'down',
    }),
    importFile: internalEndpoint({
      name: 'importFile',
      owner,
      path: `/internal/import-file/${owner}`,
      body: bodies.file,
      response: nothing,
      stream: 'up',
    }),
    removeImport: internalEndpoint({
      name: 'removeImport',
      owner,
      path: `/internal/remove-import/${owner}`,
      body: bodies.realm,
      response: nothing,
    }),
  }
}
