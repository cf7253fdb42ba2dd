import { closeQuietly } from './close-quietly.ts'
import type { Broker } from './connection.ts'
import { topologyOf } from './topology.ts'

/** How much of an organization's stream is kept: what is older, or exceeds the size, is dropped. */
export interface StreamRetention {
  readonly days: number
  readonly bytes: number
}

/** A stream of the organization exists, with another retention. */
export class StreamExistsError extends Error {}

/** Retention drops whole segments, so a segment must be far smaller than the whole. */
const MAX_SEGMENT_BYTES = 100 * 1024 ** 2
const PRECONDITION_FAILED = 406

/** Name of the stream that has the events of one organization, for consumers of its own. */
export const organizationStreamOf = (namespace: string, realmId: number): string =>
  `${namespace === '' ? '' : `${namespace}.`}domain.organization.${realmId}`

/**
 * Declares the stream of an organization and binds it, so that the broker itself copies to it what the organization publishes from
 * now on. Again with the same retention it changes nothing. Throws `StreamExistsError`, and if the broker is unavailable.
 */
export async function declareOrganizationStream(
  broker: Broker,
  namespace: string,
  realmId: number,
  { days, bytes }: StreamRetention,
): Promise<void> {
  const name = organizationStreamOf(namespace, realmId)
  const channel = await broker.channel()
  // The broker closes the channel of a refused declaration.
  channel.on('error', () => {})
  try {
    await channel.assertQueue(name, {
      durable: true,
      arguments: {
        'x-queue-type': 'stream',
        'x-max-age': `${days}D`,
        'x-max-length-bytes': bytes,
        'x-stream-max-segment-size-bytes': Math.min(MAX_SEGMENT_BYTES, Math.ceil(bytes / 10)),
      },
    })
    await channel.bindQueue(name, topologyOf(namespace).exchange, `#.${realmId}`)
    void closeQuietly(channel)
  } catch (err) {
    if ((err as { code?: number }).code === PRECONDITION_FAILED)
      throw new StreamExistsError(name, { cause: err })
    throw err
  }
}

/** Deletes the stream of an organization with all that it has; nothing happens if there is none. */
export async function deleteOrganizationStream(
  broker: Broker,
  namespace: string,
  realmId: number,
): Promise<void> {
  const channel = await broker.channel()
  await channel.deleteQueue(organizationStreamOf(namespace, realmId))
  void closeQuietly(channel)
}
