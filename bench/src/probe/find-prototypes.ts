import { EventEmitter } from 'node:events'
import { Session } from 'node:inspector/promises'

const FOUND = '__found_by_probe'

/**
 * The prototypes of live event emitters with such a method, such as connections and channels. Libraries are bundled into
 * services, so their classes cannot be imported.
 */
export async function findPrototypes(method: string): Promise<object[]> {
  const globals = globalThis as Record<string, unknown>
  const session = new Session()
  session.connect()
  try {
    globals[FOUND] = EventEmitter.prototype
    const { result } = await session.post('Runtime.evaluate', { expression: `globalThis.${FOUND}` })
    if (result.objectId === undefined) throw new Error('the inspector does not find objects')
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId })
    await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId as string,
      functionDeclaration: `function () { globalThis.${FOUND} = this }`,
    })
    return ownersOf(method, globals[FOUND] as object[])
  } finally {
    session.disconnect()
    delete globals[FOUND]
  }
}

/** Each object's nearest prototype that has the method itself. */
function ownersOf(method: string, objects: readonly object[]): object[] {
  const owners = new Set<object>()
  for (const object of objects) {
    let owner: object | null = Object.getPrototypeOf(object)
    while (owner && !Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner)
    if (owner) owners.add(owner)
  }
  return [...owners]
}
