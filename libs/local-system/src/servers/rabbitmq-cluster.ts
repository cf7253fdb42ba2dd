import { join } from 'node:path'
import { openLog } from '../process/log-file.ts'
import { ManagedProcess } from '../process/managed-process.ts'
import { stopLeftover } from '../process/pid-file.ts'
import { CLUSTER_NODES, clusterOf, startNodes } from './cluster.ts'
import { type InstanceSettings, loadInstanceSettings, portOf } from './instance-settings.ts'
import { epmdProcess, pidFileOf, RABBITMQ_STOP_TIMEOUT_MS, startRabbitmqNode } from './rabbitmq-node.ts'
import type { ProvideOptions, ServerHandle, ServerNode } from './server.ts'

/** Half a second each, spent at the very first start. */
const DISCOVERY_ATTEMPTS = 2

const instanceOf = (number: number) => `rabbitmq-${number}`

/** Starts a private cluster of three RabbitMQ nodes, with their own epmd. */
export async function startRabbitmqCluster(script: string, options: ProvideOptions): Promise<ServerHandle> {
  const { dataDir, logDir } = options
  // As with a single node: leftovers of a crashed start use the ports, and nodes need their epmd to stop.
  const leftovers = CLUSTER_NODES.map((number) => pidFileOf(dataDir, instanceOf(number)))
  const stopOne = (pidFile: string) => stopLeftover(pidFile, 'SIGTERM', RABBITMQ_STOP_TIMEOUT_MS)
  await Promise.all(leftovers.map(stopOne))
  await stopOne(join(dataDir, 'epmd.pid'))

  const shared = await loadInstanceSettings(dataDir, 'rabbitmq-cluster', ['epmd'])
  const epmdPort = portOf(shared, 'epmd')
  const epmd = new ManagedProcess({
    ...epmdProcess(options, epmdPort),
    output: openLog(join(logDir, 'rabbitmq-epmd.log')),
  })
  const startOne = (number: number) => async (): Promise<ServerNode> =>
    startRabbitmqNode(script, options, {
      instance: instanceOf(number),
      settings: await loadInstanceSettings(dataDir, instanceOf(number), ['main', 'distribution']),
      nodeName: nodeNameOf(shared, number),
      secret: shared.password,
      epmdPort,
      configuration: configurationOf(shared),
    })

  await epmd.start()
  try {
    return clusterOf({ nodes: await startNodes(CLUSTER_NODES.map(startOne)), sidecar: epmd })
  } catch (err) {
    await epmd.stop()
    throw err
  }
}

const nodeNameOf = ({ id }: InstanceSettings, number: number): string => `tms-${id}-${number}@localhost`

function configurationOf(shared: InstanceSettings): string[] {
  return [
    'cluster_formation.peer_discovery_backend = classic_config',
    ...CLUSTER_NODES.map(
      (number) => `cluster_formation.classic_config.nodes.${number} = ${nodeNameOf(shared, number)}`,
    ),
    // At the very first start one of them, which holds a lock meanwhile, finds no other and creates the cluster.
    `cluster_formation.discovery_retry_limit = ${DISCOVERY_ATTEMPTS}`,
    // A node that is cut off from the others refuses rather than continues alone.
    'cluster_partition_handling = pause_minority',
  ]
}
