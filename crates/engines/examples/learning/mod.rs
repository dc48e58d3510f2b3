//! Weights of an evaluation from what became of positions: logistic regression by Adam.

/// A position that was met: which weights count in it, how much, and what came of it for the side to move.
pub(crate) struct Sample {
    pub(crate) terms: Vec<(usize, f32)>,
    pub(crate) target: f32,
}

impl Sample {
    /// What these weights make of it.
    pub(crate) fn value(&self, weights: &[f32]) -> f32 {
        self.terms.iter().map(|&(at, amount)| weights[at] * amount).sum()
    }
}

/// How weights are fitted.
pub(crate) struct Fitting {
    /// How often every sample is looked at.
    pub(crate) epochs: i32,
    /// The first step, and what is left of it from one epoch to the next.
    pub(crate) rate: f32,
    pub(crate) decay: f32,
    /// The value that is one logit.
    pub(crate) scale: f32,
    /// A pull back to the first weights that keeps what was rarely seen from growing.
    pub(crate) pull: f32,
}

/// The chance of winning that a value stands for.
pub(crate) fn chance(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).clamp(-30.0, 30.0).exp())
}

/// How wrong the chances are.
pub(crate) fn loss(samples: &[Sample], weights: &[f32], scale: f32) -> f32 {
    let wrong = |sample: &Sample| {
        let chance = chance(sample.value(weights), scale).clamp(1e-6, 1.0 - 1e-6);
        -sample.target * chance.ln() - (1.0 - sample.target) * (1.0 - chance).ln()
    };
    samples.iter().map(wrong).sum::<f32>() / samples.len() as f32
}

/// Better weights than the first ones.
pub(crate) fn fit(samples: &[Sample], start: &[f32], fitting: &Fitting) -> Vec<f32> {
    let mut weights = start.to_vec();
    let (mut mean, mut square) = (vec![0.0_f32; weights.len()], vec![0.0_f32; weights.len()]);
    let mut step = 0;
    for epoch in 0..fitting.epochs {
        let rate = fitting.rate * fitting.decay.powi(epoch);
        for batch in samples.chunks(512) {
            let mut slope = vec![0.0_f32; weights.len()];
            for sample in batch {
                let error = chance(sample.value(&weights), fitting.scale) - sample.target;
                for &(at, amount) in &sample.terms {
                    slope[at] += error * amount / batch.len() as f32;
                }
            }
            step += 1;
            for at in 0..weights.len() {
                let slope = slope[at] + fitting.pull * (weights[at] - start[at]);
                mean[at] = 0.9 * mean[at] + 0.1 * slope;
                square[at] = 0.999 * square[at] + 0.001 * slope * slope;
                let (m, s) = (mean[at] / (1.0 - 0.9_f32.powi(step)), square[at] / (1.0 - 0.999_f32.powi(step)));
                weights[at] -= rate * m / (s.sqrt() + 1e-8);
            }
        }
    }
    weights
}
