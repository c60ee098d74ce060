/** A machine of about 1 KB with the shape that real ones have: short fields, one map, some long text. */
export function machine(i: number) {
  const hex = i.toString(16).padStart(12, '0');
  return {
    Uuid: `5b7f9c1e-0000-4000-8000-${hex}`,
    Name: `web${i}.rack${i % 400}.example.com`,
    Address: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
    Available: true,
    Runnable: i % 3 === 0,
    BootEnv: 'local',
    Stage: 'complete',
    Workflow: '',
    Profiles: ['global', `rack-${i % 400}`, 'compute'],
    HardwareAddrs: [`52:54:${hex.slice(4, 6)}:${hex.slice(6, 8)}:${hex.slice(8, 10)}:${hex.slice(10)}`],
    Meta: { color: 'blue', icon: 'server', 'feature-flags': 'change-stage-v2' },
    Params: {
      'rack/position': i % 42,
      'inventory/serial': `SN${hex.toUpperCase()}`,
      'inventory/note': `${'all work and no play '.repeat(26)}${i}`,
    },
  };
}
