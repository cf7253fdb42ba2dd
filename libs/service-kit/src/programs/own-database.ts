import { z } from 'zod'
import { postgresUrl } from '../addresses/server-urls.ts'
import { commonVariables, databaseVariables } from '../configuration/variables.ts'
import { refuseDistrusted } from '../tls/distrusted.ts'
import { type ClientTls, clientTlsOf, tlsVariables } from '../tls/settings.ts'
import { parseEnvironment } from '../validation/parse-environment.ts'

const schema = z.object({
  DATABASE_URL: postgresUrl("The service's own database"),
  DATABASE_SILENCE_SECONDS: databaseVariables.DATABASE_SILENCE_SECONDS,
  LOG_LEVEL: commonVariables.LOG_LEVEL,
  ...z.object(tlsVariables).omit({ SERVE_TLS: true }).shape,
})

/** A service's database, for its one-off programs. */
export interface OwnDatabase {
  readonly url: string
  readonly tls: ClientTls
  readonly silenceSeconds: number
  /** Prefix of the names of its sessions. */
  readonly name?: string
  readonly logLevel: z.output<typeof schema>['LOG_LEVEL']
}

/**
 * Reads the variables of the database. Rejects with one message that lists all problems, or with the reason why the
 * server isn't trusted.
 */
export async function findOwnDatabase(env: NodeJS.ProcessEnv): Promise<OwnDatabase> {
  const { DATABASE_URL, DATABASE_SILENCE_SECONDS, LOG_LEVEL, ...variables } = parseEnvironment(schema, env)
  const tls = clientTlsOf(variables)
  await refuseDistrusted({ DATABASE_URL }, tls)
  return { url: DATABASE_URL, tls, silenceSeconds: DATABASE_SILENCE_SECONDS, logLevel: LOG_LEVEL }
}
