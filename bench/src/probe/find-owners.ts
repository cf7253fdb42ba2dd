import { Session } from 'node:inspector/promises'

const FOUND = '__found_by_probe'

/**
 * Where the method of live objects is that also have a method `mark`, such as connections and channels: the objects themselves or
 * their prototypes. Libraries are bundled into services, so their classes cannot be imported.
 */
export async function findOwners(mark: string, method: string): Promise<object[]> {
  const globals = globalThis as Record<string, unknown>
  const session = new Session()
  session.connect()
  try {
    globals[FOUND] = Object.prototype
    const { result } = await session.post('Runtime.evaluate', { expression: `globalThis.${FOUND}` })
    if (result.objectId === undefined) throw new Error('the inspector does not find objects')
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId })
    await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId as string,
      functionDeclaration: `function () { globalThis.${FOUND} = this }`,
    })
    return ownersOf(mark, method, globals[FOUND] as object[])
  } finally {
    session.disconnect()
    delete globals[FOUND]
  }
}

function ownersOf(mark: string, method: string, objects: readonly object[]): object[] {
  const owners = new Set<object>()
  for (const object of objects) {
    const owner = findOwner(object, mark) && findOwner(object, method)
    if (owner) owners.add(owner)
  }
  return [...owners]
}

/** The object or its nearest prototype that has the method itself. */
function findOwner(object: object, method: string): object | null {
  let owner: object | null = object
  while (owner && !Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner)
  return owner
}
