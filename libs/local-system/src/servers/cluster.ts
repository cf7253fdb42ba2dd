import type { ServerHandle, ServerNode } from './server.ts'

/** Number of nodes: one may die, and the others are still the majority. */
export const CLUSTER_NODES = [1, 2, 3] as const

type ClusterParts = {
  nodes: readonly ServerNode[]
  /** Resolves when the running nodes have found each other, if nodes answer before that. */
  untilJoined?: () => Promise<void>
  /** A process that all of them need: started before them, stopped after them. */
  sidecar?: { start(): Promise<void>; stop(): Promise<void> }
}

/** Combines nodes into one server. A node that is started alone has joined the others when its `start` resolves. */
export function clusterOf({ nodes, untilJoined, sidecar }: ClusterParts): ServerHandle {
  const each = async (work: (node: ServerNode) => Promise<void>) => {
    await Promise.all(nodes.map(work))
  }
  const joining = nodes.map(
    (node): ServerNode => ({
      ...node,
      get pid() {
        return node.pid
      },
      start: async () => {
        await node.start()
        await untilJoined?.()
      },
    }),
  )
  return {
    url: nodes.map(({ url }) => url).join(','),
    pid: null,
    nodes: joining,
    start: async () => {
      await sidecar?.start()
      // Concurrently: each waits for the others.
      await each((node) => node.start())
      await untilJoined?.()
    },
    stop: async () => {
      await each((node) => node.stop())
      await sidecar?.stop()
    },
    kill: () => each((node) => node.kill()),
  }
}

/** Starts nodes concurrently; if one fails, stops the others and throws. */
export async function startNodes(
  starts: readonly (() => Promise<ServerNode>)[],
): Promise<readonly ServerNode[]> {
  const started = await Promise.allSettled(starts.map((start) => start()))
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failure = started.find((result) => result.status === 'rejected')
  if (!failure) return nodes
  await Promise.allSettled(nodes.map((node) => node.stop()))
  throw failure.reason
}
