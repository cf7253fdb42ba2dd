import type { OwnKey } from './own-key.ts'

/** The installation, as SAML providers know it. */
export interface SamlSite {
  readonly entityId: string
  /** Where providers send people back, with answers and to log out. */
  readonly answerUrl: string
  readonly key: OwnKey | null
  /** True once for each text, within a time: at all replicas together. Rejects if that can't be known. */
  readonly claim: (text: string, seconds: number) => Promise<boolean>
  readonly now: () => Date
}
