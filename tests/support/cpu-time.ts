/** What this thread has spent of the processor, in milliseconds: steady also where the machine is busy with others. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
