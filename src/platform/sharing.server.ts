type Read<Thing> = (name: string) => Promise<Thing | undefined>;

/**
 * Reads a thing once for all who ask for it while it is in use: a thousand slow readers of a picture hold it once.
 * What nobody holds any more leaves the memory.
 */
export function sharing<Thing extends object>(read: Read<Thing>): Read<Thing> {
  const underWay = new Map<string, Promise<Thing | undefined>>();
  const inUse = new Map<string, WeakRef<Thing>>();
  const left = new FinalizationRegistry<string>((name) => {
    if (!inUse.get(name)?.deref()) inUse.delete(name);
  });

  async function readOnce(name: string): Promise<Thing | undefined> {
    const thing = await read(name);
    if (thing) {
      inUse.set(name, new WeakRef(thing));
      left.register(thing, name);
    }
    underWay.delete(name);
    return thing;
  }

  return (name) => {
    const shared = inUse.get(name)?.deref();
    if (shared) return Promise.resolve(shared);
    const reading = underWay.get(name) ?? readOnce(name);
    underWay.set(name, reading);
    return reading;
  };
}
