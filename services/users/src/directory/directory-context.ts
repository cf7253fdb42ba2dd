import type { Logger } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { Directory } from './directory.ts'

export interface DirectoryContext extends Context {
  /** By their names in the operator's settings. */
  readonly directories: ReadonlyMap<string, Directory>
  /** For what no request is waiting for. */
  readonly log: Logger
}
