import type { ExamplePerson } from '../people.ts'
import type { CertifiedKey } from './self-signed-certificate.ts'

/** The content of the file that is the program's argument. */
export type SamlProviderSettings = {
  url: string
  port: number
  key: CertifiedKey
  /** The installation: its entity ID, where answers go, and its certificate. */
  site: { entityId: string; answerUrl: string; certificate: string }
  people: readonly ExamplePerson[]
  /** Of all of them. */
  password: string
}
