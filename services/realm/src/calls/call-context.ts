import type { Context } from '../kernel/context.ts'
import type { BigBlueButton } from './big-blue-button.ts'
import type { CallLinks } from './call-links.ts'

export interface CallContext extends Context {
  /** BigBlueButton, if it is set up. */
  readonly calls: { readonly server: BigBlueButton; readonly links: CallLinks } | null
}
