import {
  type ClientTls,
  clientTlsOf,
  externalVariables,
  parseEnvironment,
  peerVariables,
  privateKey,
  rabbitmqUrl,
  tlsVariables,
} from '@tms/service-kit'
import { z } from 'zod'
import { CommandError } from './errors.ts'

/** The variables that commands read: those of the services, and the gateway's URL. */
const variables = {
  USERS_URL: peerVariables.USERS_URL,
  REALM_URL: peerVariables.REALM_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  EVENTS_URL: peerVariables.EVENTS_URL,
  ...externalVariables,
  GATEWAY_URL: z.url().describe('Base URL of the gateway, as this program reaches it.'),
  INTERNAL_PRIVATE_KEY: privateKey.describe('Signs tokens of calls between services (PEM).'),
  RABBITMQ_URL: rabbitmqUrl,
  TLS_CA: tlsVariables.TLS_CA,
  TLS_CERTIFICATE: tlsVariables.TLS_CERTIFICATE,
  TLS_KEY: tlsVariables.TLS_KEY,
  NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/)
    .default('')
    .describe('Prefix of the names of exchange and streams.'),
} as const
type Variables = typeof variables
export type VariableName = keyof Variables

/** Names and descriptions, for the help. */
export const variableDescriptions: readonly (readonly [string, string])[] = Object.entries(variables).map(
  ([name, schema]) => [name, schema.description ?? ''],
)

/** Reads the variables that a command needs. Throws one error that names all that are wrong or missing. */
export function readVariables<N extends VariableName>(
  env: NodeJS.ProcessEnv,
  names: readonly N[],
): { readonly [K in N]: z.output<Variables[K]> } {
  if (variableDescriptions.every(([name]) => env[name] === undefined)) {
    throw new CommandError(
      `No system runs in this checkout (start one with npm start), and these variables are not set: ${names.join(', ')}`,
    )
  }
  const requested = Object.fromEntries(names.map((name) => [name, variables[name]]))
  return parseEnvironment(z.object(requested), env) as { readonly [K in N]: z.output<Variables[K]> }
}

/** Reads the TLS settings. Throws one error that names all that are wrong. */
export function readTls(env: NodeJS.ProcessEnv): ClientTls {
  return clientTlsOf(readVariables(env, ['TLS_CA', 'TLS_CERTIFICATE', 'TLS_KEY']))
}
