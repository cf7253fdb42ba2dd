import type { ExamplePerson } from '../people.ts'

/** The content of the file that is the program's argument. */
export type ProviderSettings = {
  issuer: string
  port: number
  client: { id: string; secret: string; redirectUri: string }
  people: readonly ExamplePerson[]
  /** Of all of them. */
  password: string
  cookieKey: string
}
