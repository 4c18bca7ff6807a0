import { useEffect, useState } from 'react'
import type { Drawing } from '../canvas/parts.ts'

/** Whether the token simulation runs, and how to start and stop it. */
export function useSimulation(drawing: Drawing | undefined): [simulating: boolean, toggle: () => void] {
  const [simulating, setSimulating] = useState(false)
  useEffect(() => {
    if (!drawing) return
    const bus = drawing.get('eventBus')
    // The simulation's own key, T, toggles it too.
    const toggled = ({ active }: Record<string, unknown>) => setSimulating(active === true)
    bus.on('tokenSimulation.toggleMode', toggled)
    return () => {
      bus.off('tokenSimulation.toggleMode', toggled)
      setSimulating(false)
    }
  }, [drawing])
  return [simulating, () => drawing?.get('toggleMode').toggleMode(!simulating)]
}
