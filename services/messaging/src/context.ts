import type { OutboxRelay, Pool, Publish } from '@tms/service-kit'
import type { Directory } from './directory/directory.ts'
import type { Renderer } from './rendering/renderer.ts'

/** What handlers may use. */
export interface Context {
  readonly db: Pool
  /** What messaging knows of users and organizations. */
  readonly directory: Directory
  readonly renderer: Renderer
  readonly publish: Publish<'messaging'>
  /** Wake it right after each commit that wrote to the outbox. */
  readonly relay: Pick<OutboxRelay, 'wake'>
  readonly now: () => Date
}
