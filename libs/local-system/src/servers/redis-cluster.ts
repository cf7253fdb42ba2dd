import { waitUntil } from '../process/wait-until.ts'
import { CLUSTER_NODES, clusterOf, startNodes } from './cluster.ts'
import { loadInstanceSettings, portOf, readInstanceSettings } from './instance-settings.ts'
import { sendRedisCommand } from './probes.ts'
import { startRedisNode } from './redis.ts'
import type { ProvideOptions, ServerHandle, ServerNode } from './server.ts'
import { type Tls, tlsOf } from './tls-files.ts'

const SLOTS = 16_384
/** A node that doesn't answer for so long counts as dead: too small does that to nodes of a busy machine. */
const NODE_TIMEOUT_MS = 5_000
const JOIN_TIMEOUT_MS = 60_000

/** Starts a private Redis Cluster of three masters. Requires Redis 7, in which the bus may have any port. */
export async function startRedisCluster(binary: string, options: ProvideOptions): Promise<ServerHandle> {
  const { password } = await loadInstanceSettings(options.dataDir, 'redis-cluster', [])
  const tls = tlsOf(options.env)
  const instanceOf = (number: number) => `redis-${number}`
  const nodes = await startNodes(
    CLUSTER_NODES.map(
      (number) => () =>
        startRedisNode(binary, options, {
          instance: instanceOf(number),
          password,
          morePorts: { bus: 'cluster-port' },
          configuration: [
            'cluster-enabled yes',
            `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
            // Keys of the other masters stay available while one is down.
            'cluster-require-full-coverage no',
            `masterauth ${password}`,
          ],
        }),
    ),
  )
  const untilJoined = () =>
    waitUntil(
      async () => {
        const running = nodes.filter(({ pid }) => pid !== null)
        return (await Promise.all(running.map((node) => isInCluster(node, tls)))).every(Boolean)
      },
      { what: 'the Redis Cluster to be whole', timeoutMs: JOIN_TIMEOUT_MS, signal: options.signal },
    )
  const cluster = clusterOf({ nodes, untilJoined })
  try {
    await join(nodes, portOf(readInstanceSettings(options.dataDir, instanceOf(1)), 'bus'), tls)
    await untilJoined()
  } catch (err) {
    await cluster.stop()
    throw err
  }
  return cluster
}

/** Assigns the slots and makes the nodes meet the first one, unless an earlier start has done so. */
async function join(nodes: readonly ServerNode[], firstBusPort: number, tls: Tls): Promise<void> {
  const [first, ...others] = nodes
  if (!first || knowsAll(await sendRedisCommand(first.url, ['CLUSTER', 'INFO'], tls))) return
  for (const [index, { url }] of nodes.entries()) {
    const from = Math.floor((SLOTS * index) / nodes.length)
    const to = Math.floor((SLOTS * (index + 1)) / nodes.length) - 1
    await sendRedisCommand(url, ['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)], tls)
    await sendRedisCommand(url, ['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)], tls)
  }
  const { hostname, port } = new URL(first.url)
  for (const { url } of others) {
    await sendRedisCommand(url, ['CLUSTER', 'MEET', hostname, port, String(firstBusPort)], tls)
  }
}

const knowsAll = (info: string): boolean => info.includes(`cluster_known_nodes:${CLUSTER_NODES.length}`)

async function isInCluster({ url }: ServerNode, tls: Tls): Promise<boolean> {
  const info = await sendRedisCommand(url, ['CLUSTER', 'INFO'], tls).catch(() => '')
  return info.includes('cluster_state:ok') && knowsAll(info)
}
