import { useEffect, useState } from 'react'
import type { Drawing } from '../canvas/parts.ts'

/** Whether tokens are sent through the diagram, and how that begins and ends. */
export function useSimulation(drawing: Drawing | undefined): [simulating: boolean, toggle: () => void] {
  const [simulating, setSimulating] = useState(false)
  useEffect(() => {
    if (!drawing) return
    const bus = drawing.get('eventBus')
    // Also by its own key, T.
    const toggled = ({ active }: Record<string, unknown>) => setSimulating(active === true)
    bus.on('tokenSimulation.toggleMode', toggled)
    return () => {
      bus.off('tokenSimulation.toggleMode', toggled)
      setSimulating(false)
    }
  }, [drawing])
  return [simulating, () => drawing?.get('toggleMode').toggleMode(!simulating)]
}
