/** Of prototypes, and the same in both copies. */
const KIND = Symbol.for('@tms/client error')

/**
 * Makes an error of one copy of this package an instance of the class of another: a process has two when one part of it
 * imports the package and another requires it, as a test and its bot may.
 */
export function shareAcrossCopies(type: abstract new (...args: never[]) => Error, kind: string): void {
  Object.defineProperty(type.prototype, KIND, { value: kind })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this and are told apart as usual.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as typeof type, value)
      return typeof value === 'object' && value !== null && Reflect.get(value, KIND) === kind
    },
  })
}
