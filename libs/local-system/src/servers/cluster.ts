import type { ServerHandle, ServerNode } from './server.ts'

/** How many nodes of each: one may die, and the others are still the majority. */
export const CLUSTER_NODES = [1, 2, 3] as const

type ClusterParts = {
  nodes: readonly ServerNode[]
  /** Resolves when those that run have found each other, where nodes answer before that. */
  untilJoined?: () => Promise<void>
  /** What all of them need: started before them, stopped after them. */
  beside?: { start(): Promise<void>; stop(): Promise<void> }
}

/** Nodes as one server. Each started by itself has joined the others when its `start` resolves. */
export function clusterOf({ nodes, untilJoined, beside }: ClusterParts): ServerHandle {
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
      await beside?.start()
      // Side by side: each waits for the others.
      await each((node) => node.start())
      await untilJoined?.()
    },
    stop: async () => {
      await each((node) => node.stop())
      await beside?.stop()
    },
    kill: () => each((node) => node.kill()),
  }
}

/** Starts nodes side by side; when one fails, stops the others and throws. */
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
