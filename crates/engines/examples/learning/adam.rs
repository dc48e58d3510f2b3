//! Adam: steps down a slope.

/// Adam: each weight's step is measured by the slopes it has met.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For so many weights.
    pub(crate) fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// One step down the slope.
    pub(crate) fn step(&mut self, weights: &mut [f32], slope: &[f32], rate: f32) {
        self.steps += 1;
        for (at, &slope) in slope.iter().enumerate() {
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * slope;
            self.square[at] = 0.999 * self.square[at] + 0.001 * slope * slope;
            let mean = self.mean[at] / (1.0 - 0.9_f32.powi(self.steps));
            let square = self.square[at] / (1.0 - 0.999_f32.powi(self.steps));
            weights[at] -= rate * mean / (square.sqrt() + 1e-8);
        }
    }
}
