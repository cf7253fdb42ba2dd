import type { InternalStreams } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { ExportLinks } from './export-link.ts'

export interface ExportContext extends Context {
  /** Streams to and from other services. */
  readonly streams: InternalStreams
  readonly exportLinks: ExportLinks
  /** Makes this replica check for waiting exports. */
  readonly wakeExporter: () => void
  /** The weakest role that may have full exports; 0 means nobody. */
  readonly fullExportRole: number
  readonly maxExportsPerWeek: number
  /** A local folder for archives in progress. */
  readonly spoolFolder: string
}
