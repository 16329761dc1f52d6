# SPDX-License-Identifier: Apache-2.0
"""Networks as PyTorch modules, full size or narrow, with the structure and names of the published ones."""

import torch
from torch import nn


class LeNet(nn.Module):
    """LeNet-5 for 1x28x28; `width` divides the units; view() with the batch's size is what exporters write as Shape, Gather, Concat."""

    def __init__(self, width=1):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120 // width)
        self.fc2 = nn.Linear(120 // width, 84 // width)
        self.fc3 = nn.Linear(84 // width, 10, bias=False)

    def forward(self, x):
        x = torch.nn.functional.avg_pool2d(torch.tanh(self.conv1(x)), 2)
        x = torch.nn.functional.avg_pool2d(torch.tanh(self.conv2(x)), 2)
        x = x.view(x.size(0), -1)
        return self.fc3(torch.sigmoid(self.fc2(torch.relu(self.fc1(x)))))


class AlexNet(nn.Module):
    """For 3x32x32; `width` divides the channels and units."""

    def __init__(self, width=1):
        super().__init__()
        c = [64 // width, 192 // width, 384 // width, 256 // width, 256 // width]
        units = 4096 // width
        self.features = nn.Sequential(
            nn.Conv2d(3, c[0], 3, stride=2, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(c[0], c[1], 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(c[1], c[2], 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(c[2], c[3], 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(c[3], c[4], 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        self.avgpool = nn.AdaptiveAvgPool2d((2, 2))
        self.classifier = nn.Sequential(
            nn.Dropout(0.5), nn.Linear(c[4] * 4, units), nn.ReLU(inplace=True), nn.Dropout(0.5),
            nn.Linear(units, units), nn.ReLU(inplace=True), nn.Linear(units, 10))

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class BasicBlock(nn.Module):
    def __init__(self, channels, filters, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, filters, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(filters)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(filters, filters, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(filters)
        self.downsample = None
        if stride != 1 or channels != filters:
            self.downsample = nn.Sequential(nn.Conv2d(channels, filters, 1, stride, bias=False),
                                            nn.BatchNorm2d(filters))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        return self.relu(self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))) + shortcut)


class ResNet18(nn.Module):
    def __init__(self, width=1, classes=1000):
        super().__init__()
        base = 64 // width
        self.conv1 = nn.Conv2d(3, base, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(base)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        channels = base
        for number in range(4):
            filters = base << number
            setattr(self, f"layer{number + 1}",
                    nn.Sequential(BasicBlock(channels, filters, 1 if number == 0 else 2), BasicBlock(filters, filters, 1)))
            channels = filters
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def conv_bn_relu6(channels, filters, kernel, stride=1, groups=1):
    return nn.Sequential(nn.Conv2d(channels, filters, kernel, stride, kernel // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(filters), nn.ReLU6(inplace=True))


class InvertedResidual(nn.Module):
    def __init__(self, channels, filters, stride, expansion):
        super().__init__()
        hidden = channels * expansion
        self.residual = stride == 1 and channels == filters
        layers = [] if expansion == 1 else [conv_bn_relu6(channels, hidden, 1)]
        layers += [conv_bn_relu6(hidden, hidden, 3, stride, hidden), nn.Conv2d(hidden, filters, 1, bias=False),
                   nn.BatchNorm2d(filters)]
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.conv(x) if self.residual else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(self, width=1, classes=1000):
        super().__init__()
        channels = 32 // width
        layers = [conv_bn_relu6(3, channels, 3, 2)]
        for expansion, filters, repeats, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                                    (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
            for number in range(repeats):
                layers.append(InvertedResidual(channels, filters // width, stride if number == 0 else 1, expansion))
                channels = filters // width
        layers.append(conv_bn_relu6(channels, 1280 // width, 1))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280 // width, classes))

    def forward(self, x):
        return self.classifier(self.features(x).mean([2, 3]))


class ChannelNorm(nn.LayerNorm):
    """Over the channels of each pixel, as ConvNeXt has it."""

    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Excitation(nn.Module):
    """Squeeze and excitation as in MobileNetV3 and in EfficientNet, and layer normalisations of both kinds."""

    def __init__(self, channels=8, classes=5):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, 2, 1)
        self.pixels = ChannelNorm(channels, eps=1e-6)
        self.down1 = nn.Conv2d(channels, 2, 1)
        self.up1 = nn.Conv2d(2, channels, 1)
        self.conv = nn.Conv2d(channels, channels, 3, 1, 1, groups=channels)
        self.norm = nn.LayerNorm((channels, 6, 6))
        self.down2 = nn.Conv2d(channels, 2, 1)
        self.up2 = nn.Conv2d(2, channels, 1)
        self.features = nn.LayerNorm(channels)
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        mean = torch.nn.functional.adaptive_avg_pool2d
        x = self.pixels(self.stem(x))
        x = x * torch.nn.functional.hardsigmoid(self.up1(torch.relu(self.down1(mean(x, 1)))))
        x = torch.nn.functional.silu(self.norm(self.conv(x)))
        x = torch.sigmoid(self.up2(torch.nn.functional.silu(self.down2(mean(x, 1))))) * x
        return self.fc(self.features(torch.flatten(mean(x, 1), 1)))


def prepared(model, seed=7):
    """Weights and running statistics that matter, the same each time."""
    generator = torch.Generator().manual_seed(seed)
    for module in model.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            fan_in = module.weight[0].numel()
            module.weight.data = torch.randn(module.weight.shape, generator=generator) * (2 / fan_in) ** 0.5
            if module.bias is not None:
                module.bias.data = torch.randn(module.bias.shape, generator=generator) * 0.1
        elif isinstance(module, nn.LayerNorm):
            module.weight.data = 0.5 + torch.rand(module.weight.shape, generator=generator)
            module.bias.data = torch.randn(module.bias.shape, generator=generator) * 0.1
        elif isinstance(module, nn.BatchNorm2d):
            module.weight.data = 0.5 + torch.rand(module.weight.shape, generator=generator)
            module.bias.data = torch.randn(module.bias.shape, generator=generator) * 0.1
            module.running_mean = torch.randn(module.running_mean.shape, generator=generator) * 0.1
            module.running_var = 0.5 + torch.rand(module.running_var.shape, generator=generator)
    return model.eval()


FULL = {
    "lenet": (LeNet, (1, 28, 28)),
    "alexnet": (AlexNet, (3, 32, 32)),
    "resnet18": (ResNet18, (3, 224, 224)),
    "mobilenetv2": (MobileNetV2, (3, 224, 224)),
}
NARROW = {
    "lenet": (lambda: LeNet(6), (1, 28, 28)),
    "alexnet": (lambda: AlexNet(32), (3, 32, 32)),
    "resnet18": (lambda: ResNet18(16, 10), (3, 32, 32)),
    "mobilenetv2": (lambda: MobileNetV2(8, 10), (3, 32, 32)),
    "excitation": (Excitation, (3, 12, 12)),
}
OLDEST_OPSET = {"excitation": 17}
